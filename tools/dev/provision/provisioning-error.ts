/** Something on this machine stands in the way. The message is one sentence that says what to do. */
export class ProvisioningError extends Error {
  override readonly name = 'ProvisioningError';
}
