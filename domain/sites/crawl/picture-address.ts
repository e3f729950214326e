import { problemOfImage } from '../documents/addresses.js';
import type { HtmlElement } from './html-tree.js';

type Attributes = HtmlElement['attributes'];

/** Where scripts that load pictures late keep the address, instead of `src`. */
const lateAddresses = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-lazy',
  'data-orig-file',
  'data-url',
];
const lateSets = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];
/** What is shown until then. */
const placeholder =
  /(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|1x1|transparent|lazy(?:load)?|loading|empty)(?:[_.-][^/]*)?\.(?:gif|png|svg|jpe?g|webp)$/i;

/**
 * The address of a picture: what is loaded late goes before `src`, which holds its place.
 * @param sources of the `picture` around it
 * @returns undefined if it has none that pages can have, or it is a pixel that counts visitors
 */
export function pictureAddress(
  image: Attributes,
  base: string,
  sources: readonly Attributes[] = [],
): string | undefined {
  if (isPixel(image)) return undefined;
  const given = [
    ...lateAddresses.map((name) => image[name]),
    ...lateSets.map((name) => largestOf(image[name])),
    image.src,
    largestOf(image.srcset),
    ...sources.flatMap((source) => [largestOf(source['data-srcset']), largestOf(source.srcset)]),
  ];
  return given
    .map((text) => (text === undefined ? undefined : absolute(text, base)))
    .find((url) => url !== undefined && !placeholder.test(new URL(url).pathname) && isShown(url));
}

function isShown(url: string): boolean {
  return problemOfImage(url) === undefined;
}

function isPixel({ width, height }: Attributes): boolean {
  return width !== undefined && height !== undefined && Number(width) <= 1 && Number(height) <= 1;
}

/** The largest picture of a set, whose addresses may hold commas. */
function largestOf(set: string | undefined): string | undefined {
  const candidates = [...(set ?? '').slice(0, 10_000).matchAll(/(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  candidates.sort(([, , one], [, , other]) => Number(other ?? 1) - Number(one ?? 1));
  return candidates[0]?.[1];
}

function absolute(address: string, base: string): string | undefined {
  try {
    return new URL(address.trim(), base).href;
  } catch {
    return undefined;
  }
}
