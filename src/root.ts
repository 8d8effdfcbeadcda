/** Where the package is. Its code is run as TypeScript in a checkout, and compiled elsewhere. */
const compiled = import.meta.url.endsWith('.js');

/** The folder of package.json: above src/, or above dist/service/src/ if it is compiled. */
export const ROOT = new URL(compiled ? '../../../' : '../', import.meta.url);

/** How our modules end, for threads: the compiler rewrites imports, and no addresses. */
export const MODULE = compiled ? '.js' : '.ts';
