/** What the operator of the installation allows accounts to do. */
export interface InstallationPolicy {
  workspaceCreation: 'anyone' | 'superusers';
  /** How many login codes a requester may ask for, for one address in an hour; 0: no limit on codes. */
  loginCodesPerHour: number;
  /** How many workspaces an account that is not a superuser may create. */
  workspacesPerAccount: number;
  /** How long the support access of a superuser to a workspace lasts, in hours. */
  supportAccessHours: number;
  /** How many bytes the files of a workspace may have in all. */
  bytesPerWorkspace: number;
  /** How long archives of persons' data are kept, in days. */
  exportDays: number;
  /** Whether a workspace may allow origins on localhost over plain HTTP, for development. */
  localHttpOrigins: boolean;
}
