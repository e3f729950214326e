const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The texts of a TwiML answer's `<Message>` verbs; any other answer has none. */
export function twimlMessages(xml: string): string[] {
  return [...xml.matchAll(/<Message\b[^>]*>([\s\S]*?)<\/Message>/g)]
    .map(([, inner]) => unescapeXml((inner?.match(/<Body>([\s\S]*?)<\/Body>/)?.[1] ?? inner ?? '').trim()))
    .filter((text) => text !== '');
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const hexadecimal = name[1]?.toLowerCase() === 'x';
    return String.fromCodePoint(Number.parseInt(name.slice(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10));
  });
}
