/** On whose behalf something is done. Comes from the credential alone, never from arguments. */
export interface Caller {
  workspace_id: string;
  /** The api key; for an agent, the key that created its run. */
  api_key_id: string;
}
