/** The order matters: browsers also name those that they descend from. */
const programs: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:\b|Headless)(?:Chrome|CriOS)\//, 'Chrome'],
  // Other browsers say Safari too, but only Safari its own version, and only on systems of its maker.
  [/\b(?:Mac OS X|iPhone|iPad)\b.*\bVersion\/\S+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Firefox on Linux": the rest reveals more than people know, and is not stored. Null if nothing is recognized. */
export function summarizeUserAgent(header: string | undefined): string | null {
  const program = nameIn(programs, header ?? '');
  const system = nameIn(systems, header ?? '');
  if (program === undefined) return system ?? null;
  return system === undefined ? program : `${program} on ${system}`;
}

/** Whether a summary tells the system alone, and so no browser. */
export function isSystemAlone(summary: string): boolean {
  return systems.some(([, name]) => name === summary);
}

function nameIn(names: readonly [RegExp, string][], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
