const YES = new Set(
  'yes yeah yep yup y sure ok okay correct right true absolutely certainly agree agrees agreed accept accepts confirm confirms confirmed ready consents'.split(
    ' ',
  ),
);
const NO = new Set(
  'no nope nah n not never false wrong decline declines declined refuse refuses refused disagree disagrees cannot'.split(
    ' ',
  ),
);
/** Words that do not help to tell choices apart. */
const FILLERS = new Set(
  'a an and are as at be been but by can do does for from has have he her him his i if in is it its me my of on or our please she so that the their them they this to us was we were when who will with would you your member person user patient wants want said says like'.split(
    ' ',
  ),
);

/** The words of a text in lower case, with contractions such as "don't" replaced by "not". */
export function words(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/\b(?:ca|do|does|did|is|are|was|were|wo|would|could|should|has|have)n['’]?t\b/g, 'not')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function tellingWords(text: string): Set<string> {
  return new Set(words(text).filter((word) => !FILLERS.has(word)));
}

/** Whether a text means yes or no; the first such word decides. */
export function yesOrNo(text: string): 'yes' | 'no' | undefined {
  for (const word of words(text)) {
    if (YES.has(word)) return 'yes';
    if (NO.has(word)) return 'no';
  }
  return undefined;
}

export function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** How many telling words of a text are among the wanted ones. */
export function sharedWords(text: string, wanted: ReadonlySet<string>): number {
  return [...tellingWords(text)].filter((word) => wanted.has(word)).length;
}

/** A name of a program, as it is said. */
export function spoken(name: string): string {
  return name.replaceAll('_', ' ');
}
