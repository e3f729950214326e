/** What the operator of the installation allows its accounts. */
export interface InstallationPolicy {
  /** Who may create workspaces. */
  workspaceCreation: 'anyone' | 'superusers';
  /** How many workspaces an account that is no superuser may create. */
  workspacesPerAccount: number;
  /** How long a superuser stays in a workspace for support. */
  supportAccessHours: number;
  /** Whether a workspace may allow origins of this machine over plain HTTP, which is for development. */
  localHttpOrigins: boolean;
}
