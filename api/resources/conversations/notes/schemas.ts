/** Characters of a note of a colleague. */
export const maxNote = 2_000;
