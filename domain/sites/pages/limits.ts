export const pageLimits = {
  /** Pages of a site. */
  pages: 1_000,
  /** UTF-8 bytes of the documents of a site, in all locales. */
  bytesOfSite: 32 * 1_048_576,
};
