import robotsParser from 'robots-parser';
import { crawlLimits } from './limits.js';

/** The package is CommonJS, whose types name a default that Node does not have. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** The name by which sites address the crawler in robots.txt, as in the header `User-Agent`. */
export const crawlerName = 'workspace-engagement-service';

const rule = /^\s*(user-agent|allow|disallow|crawl-delay|sitemap)\s*:/i;
const maxLineLength = 500;
const maxLines = 10_000;
/** A rule with a wildcard is compared with every part of a path. */
const maxPatternLength = 200;
const maxPatterns = 200;

/** The lines of robots.txt that mean something to a crawl, in a bounded number (RFC 9309, 2.5). */
export function rulesOf(robots: string): string {
  let patterns = 0;
  const kept: string[] = [];
  for (const line of robots.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    if (kept.length >= maxLines) break;
    if (line.length > maxLineLength || !rule.test(line)) continue;
    if (line.includes('*') && /^\s*(dis)?allow/i.test(line)) {
      if (patterns >= maxPatterns || line.length > maxPatternLength) continue;
      patterns += 1;
    }
    kept.push(line.replaceAll('\0', '').trim());
  }
  return kept.join('\n');
}

export interface Robots {
  allows(url: string): boolean;
  /** What the site asks to wait between two requests; undefined: nothing. */
  delayMs: number | undefined;
  /** Addresses, as they are written. */
  sitemaps: string[];
}

/** @param rules as `rulesOf` returns them @param origin of the host that they are of, such as `https://clinic.example` */
export function readRobots(rules: string, origin: string): Robots {
  const parser = parseRobots(`${origin}/robots.txt`, rules);
  const seconds = parser.getCrawlDelay(crawlerName);
  const delayMs = seconds === undefined || !(seconds >= 0) ? undefined : seconds * 1_000;
  return {
    // An address of another origin is not known to the rules, which is no.
    allows: (url) => parser.isAllowed(url, crawlerName) === true,
    delayMs: delayMs === undefined ? undefined : Math.min(delayMs, crawlLimits.maxDelayMs),
    sitemaps: parser.getSitemaps().slice(0, crawlLimits.sitemaps),
  };
}
