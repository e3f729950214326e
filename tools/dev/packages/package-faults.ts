export interface LockedPackage {
  hasInstallScript?: boolean;
  deprecated?: string;
}

export interface PackageLock {
  packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * Lists the problems of the locked packages: deprecated packages, packages with an install script that `allowScripts`
 * in package.json neither allows nor forbids, and entries of `allowScripts` for packages without an install script.
 */
export function packageFaults(
  { packages }: PackageLock,
  decided: Readonly<Record<string, boolean>>,
): string[] {
  const faults: string[] = [];
  const withScripts = new Set<string>();
  for (const [path, { hasInstallScript, deprecated }] of Object.entries(packages)) {
    const name = path.replace(/^.*node_modules\//, '');
    if (deprecated !== undefined) faults.push(`${path} is deprecated: ${deprecated}`);
    if (hasInstallScript !== true) continue;
    withScripts.add(name);
    if (decided[name] === undefined) {
      faults.push(`${path} has an install script. Allow or forbid it in allowScripts.`);
    }
  }
  for (const name of Object.keys(decided)) {
    if (!withScripts.has(name)) faults.push(`${name} is listed in allowScripts but has no install script.`);
  }
  return faults;
}
