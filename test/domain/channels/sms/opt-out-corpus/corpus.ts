/**
 * Sayings of people who want no more messages or calls, and others with the same words that want something else, one a line,
 * in the languages of the service.
 */
export interface Corpus {
  sayings: string;
  nearMisses: string;
}
