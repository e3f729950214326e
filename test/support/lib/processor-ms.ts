/** The processor time that `work` takes, in milliseconds: a busy machine does not lengthen it. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
