/** Provisioning failed because of the state of this machine. The message says what the user can do about it. */
export class ProvisioningError extends Error {
  override readonly name = 'ProvisioningError';
}
