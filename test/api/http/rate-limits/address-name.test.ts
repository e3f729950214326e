import { describe, expect, it } from 'vitest';
import { addressName } from '../../../../api/http/rate-limits/address-name.js';

describe('an address is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
    ['', 'unknown'],
    ['somebody', 'unknown'],
    ['192.0.2.7:8080', '192.0.2.7'],
    ['[2001:db8:1:2::9]:8080', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['192.0.2.7:somewhere', 'unknown'],
    ['[192.0.2.7', 'unknown'],
  ])('%s as %s', (address, name) => {
    expect(addressName(address)).toBe(name);
  });
});
