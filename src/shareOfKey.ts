/**
 * What one key may have of something that its workspace may have `workspace` of, by the setting for
 * keys: null is half of it, and 0 all of it. Null: the key has no limit of its own.
 */
export function shareOfKey(setting: number | null, workspace: number): number | null {
  if (setting !== null) return setting || null;
  return Math.ceil(workspace / 2) || null;
}
