/** How values of a field type are indexed if their field has `shouldIndex` or `unique`. */
export interface IndexRules {
  /** How the values are compared and sorted. */
  by: 'text' | 'number';
  /** Whether the search covers the words of the values. */
  isSearched: boolean;
  /** Whether a field may hold several values; lists cannot be sorted by such a field. */
  isMany: boolean;
  /** Whether the field may be `unique`. */
  takesUnique: boolean;
}

export const bySearchedText: IndexRules = { by: 'text', isSearched: true, isMany: false, takesUnique: true };
export const byLongText: IndexRules = { ...bySearchedText, takesUnique: false };
export const byChoices: IndexRules = { ...bySearchedText, isMany: true, takesUnique: false };
export const byText: IndexRules = { ...bySearchedText, isSearched: false };
export const byNumber: IndexRules = { ...byText, by: 'number' };
export const byFile: IndexRules = { ...byNumber, takesUnique: false };
