/** Why the text of a file cannot be read, however often it is tried. */
export const refusalReasons = ['damaged', 'password', 'too_large_inside'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A page, or a part of a text without pages. Pages count from 1 and come in order; empty ones are left out. */
export interface TextPage {
  page: number;
  text: string;
}

/** A line that the process writes. The last one is not a page. */
export type ExtractorLine = TextPage | { finished: true } | { refused: RefusalReason };
