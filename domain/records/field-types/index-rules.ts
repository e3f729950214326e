/** How values of a type are found, where their field has `shouldIndex` or `unique`. */
export interface IndexRules {
  /** What they are compared and sorted as. */
  by: 'text' | 'number';
  /** Whether the search looks into their words. */
  isSearched: boolean;
  /** Whether a field may hold several at once: then nothing is sorted by it. */
  isMany: boolean;
  /** Whether `unique` may be asked for. */
  takesUnique: boolean;
}

export const bySearchedText: IndexRules = { by: 'text', isSearched: true, isMany: false, takesUnique: true };
export const byLongText: IndexRules = { ...bySearchedText, takesUnique: false };
export const byChoices: IndexRules = { ...bySearchedText, isMany: true, takesUnique: false };
export const byText: IndexRules = { ...bySearchedText, isSearched: false };
export const byNumber: IndexRules = { ...byText, by: 'number' };
export const byFile: IndexRules = { ...byNumber, takesUnique: false };
