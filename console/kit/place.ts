import { createContext, useContext } from 'react';

interface Place {
  /** What the keys of a page's queries begin with: the UUID of its workspace or organization. */
  uuid: string;
  /** Who is signed in there: the id of the member, or of the account. */
  ownId: number;
}

export const PlaceContext = createContext<Place | undefined>(undefined);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === undefined)
    throw new Error('There is no workspace and no organization around this component.');
  return place;
}
