/** A page of a list that is walked through. */
export interface WalkPage<Item, Place> {
  items: Item[];
  /** Where the next page begins; absent at the end. */
  next: Place | undefined;
}
