import type { Marker, Place } from './markers.js';

/** Where bytes may lie in a base64 text: at one of three places of its groups. */
const alignments = ['', '-', '--'];

/** The part of a text in base64 that does not depend on what stands before and after it. */
function base64Forms(text: string): string[] {
  return alignments.map((before) => {
    const skipped = Math.ceil((before.length * 4) / 3);
    const whole = Math.floor(((before.length + text.length) * 4) / 3);
    return Buffer.from(before + text)
      .toString('base64')
      .slice(skipped, whole);
  });
}

/** Letters and digits need no escape in JSON or an address; what else a needle has is looked for in their forms too. */
function writtenForms(needle: string): string[] {
  return [needle, JSON.stringify(needle).slice(1, -1), encodeURIComponent(needle)];
}

/** Names of the markers that a text gives away: as they are, escaped or percent-encoded, in any case, or in base64. */
export function givenAway(text: string, planted: Readonly<Record<string, Marker>>, place: Place): string[] {
  const lower = text.toLowerCase();
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Object.entries(planted)
    .filter(([, { allowedIn }]) => !allowedIn.includes(place))
    .filter(([, { needles }]) =>
      needles.some((needle) => {
        if (writtenForms(needle.toLowerCase()).some((form) => lower.includes(form.toLowerCase())))
          return true;
        return base64Forms(needle).some((form) => text.includes(form) || standard.includes(form));
      }),
    )
    .map(([name]) => name);
}
