import { createContext, useContext } from 'react';

/** What the keys of a page's queries begin with: the UUID of its workspace or organization. */
export const PlaceContext = createContext<string | undefined>(undefined);

export function usePlace(): string {
  const place = useContext(PlaceContext);
  if (place === undefined)
    throw new Error('There is no workspace and no organization around this component.');
  return place;
}
