/** Sets the reader's theme before anything is painted. Without one the page follows the system. */
const kept = localStorage.getItem('gatehouse-theme');
if (kept) document.documentElement.dataset.theme = kept;
