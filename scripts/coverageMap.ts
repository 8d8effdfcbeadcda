/** For tap: which files a test covers. What is generated is not ours to cover. */
export default (): string[] => ['src/**/*.ts'];
