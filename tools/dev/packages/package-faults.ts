/** A package as package-lock.json has it. */
export interface LockedPackage {
  hasInstallScript?: boolean;
  deprecated?: string;
}

/** The part of package-lock.json that is looked at. */
export interface PackageLock {
  packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * What is wrong with the packages that would be installed: those that their makers gave up, and those that run a script
 * when they are installed without somebody having decided whether they may (`allowScripts` in package.json).
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
      faults.push(`${path} runs a script when it is installed: decide in allowScripts whether it may.`);
    }
  }
  for (const name of Object.keys(decided)) {
    if (!withScripts.has(name)) faults.push(`${name} stands in allowScripts, and runs no script.`);
  }
  return faults;
}
