/** One page of a list that is read page by page. */
export interface WalkPage<Item, Place> {
  items: Item[];
  /** Start of the next page; undefined on the last page. */
  next: Place | undefined;
}
