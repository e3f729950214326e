import { LRUCache } from 'lru-cache';
import type { ShownSite, SiteStanding } from '../../../domain/sites/public/show-site.js';
import type { Answer } from './answer.js';

const maxBytes = 32 * 1_048_576;
/** What an entry takes beside its texts. */
const overheadBytes = 2_048;

/**
 * What this process has read of sites, and the answers it has made of it. The version of the site is a part of each name, as are its
 * domain and the logo of its organization, so that what has changed is not found any more, and goes with time.
 */
export class KeptAnswers {
  readonly #kept: LRUCache<string, ShownSite | Answer>;
  /** What is being read or made: who comes meanwhile waits for it. */
  readonly #making = new Map<string, Promise<unknown>>();

  constructor(bytes = maxBytes) {
    this.#kept = new LRUCache({ maxSize: bytes, sizeCalculation: sizeOf });
  }

  async site(
    standing: SiteStanding,
    read: () => Promise<ShownSite | undefined>,
  ): Promise<ShownSite | undefined> {
    const name = nameOf(standing);
    const kept = this.#kept.get(name) as ShownSite | undefined;
    if (kept !== undefined) return kept;
    const found = await this.#once(name, read);
    if (found !== undefined) this.#kept.set(name, found);
    return found;
  }

  /** Answers with 200 are kept. @param what names the answer within the site, of a bounded number of names */
  async answer<Made extends object | undefined>(
    standing: SiteStanding,
    what: string,
    make: () => Promise<Made> | Made,
  ): Promise<Answer | Made> {
    const name = `${nameOf(standing)} ${what}`;
    const kept = this.#kept.get(name) as Answer | undefined;
    if (kept !== undefined) return kept;
    const made = await this.#once(name, async () => make());
    if (isAnswer(made) && made.status === 200) this.#kept.set(name, made);
    return made;
  }

  async #once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
    const making = (this.#making.get(name) as Promise<Made> | undefined) ?? make();
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      this.#making.delete(name);
    }
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }
}

function nameOf({ siteUuid, version, domain, logoWorkspaceUuid, logoFileId }: SiteStanding): string {
  return [siteUuid, version, domain, logoWorkspaceUuid, logoFileId].join(' ');
}

function isAnswer(made: object | undefined): made is Answer {
  return made !== undefined && 'body' in made;
}

function sizeOf(entry: ShownSite | Answer): number {
  const own = isAnswer(entry) ? entry.body.length : 2 * JSON.stringify(entry).length;
  return own + overheadBytes;
}
