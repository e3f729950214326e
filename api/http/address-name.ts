import { isIPv4, isIPv6 } from 'node:net';

/** Some proxies add the caller's port; an IPv6 address is then in brackets (RFC 3986, 3.2.2). */
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The name under which an address is counted: itself, or for IPv6 its /56, as one customer commonly has (RFC 6177). */
export function addressName(address: string): string {
  const named = withPort.exec(address);
  const [plain = ''] = (named?.[1] ?? named?.[2] ?? address).split('%');
  const v4 = mapped.exec(plain)?.[1] ?? plain;
  if (isIPv4(v4)) return v4;
  if (!isIPv6(plain)) return 'unknown';
  const [before = '', after] = plain.split('::');
  const front = before === '' ? [] : before.split(':');
  const back = after === undefined || after === '' ? [] : after.split(':');
  // An IPv4 address at the end takes the place of two groups but looks like one.
  const embedded = plain.includes('.') ? 1 : 0;
  const zeros = after === undefined ? 0 : Math.max(0, 8 - front.length - back.length - embedded);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const [first = 0, second = 0, third = 0, fourth = 0] = groups.map((group) => Number.parseInt(group, 16));
  const counted = [first, second, third, fourth & 0xff00].map((group) => group.toString(16));
  return `${counted.join(':')}::/56`;
}
