const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in words, such as “1.2 MB”. */
export function sizeOf(bytes: number, locale: string): string {
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const style = {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  } as const;
  return new Intl.NumberFormat(locale, style).format(bytes / 1_000 ** step);
}

const names: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/msword': 'Word',
  'text/plain': 'TXT',
  'text/markdown': 'Markdown',
  'image/svg+xml': 'SVG',
  'audio/mpeg': 'MP3',
};

/** A kind of file as people call it, such as PDF. */
export const kindOf = (mimeType: string): string =>
  names[mimeType] ?? mimeType.replace(/^.*\/(x-)?/, '').toUpperCase();
