import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AddressPolicy, type AddressPolicyOptions } from '../../../providers/webhook/address-policy.js';
import type { ResolveHost } from '../../../providers/webhook/resolve-host.js';

const publicAddress = '93.184.215.14';

/** A DNS with these names, which records the names that were looked up. */
function dns(names: Record<string, readonly string[]>) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname: string): Promise<LookupAddress[]> => {
      asked.push(hostname);
      return (names[hostname] ?? []).map((address) => ({ address, family: isIP(address) }));
    },
  };
}

const known = dns({
  'receiver.example': [publicAddress, '2606:4700:4700::1111'],
  'xn--empfnger-3za.example': [publicAddress],
  'inside.example': ['10.0.0.7'],
  'mixed.example': [publicAddress, '127.0.0.1'],
  'mixed-kinds.example': [publicAddress, '::ffff:127.0.0.1'],
  intranet: [publicAddress],
  'printer.local': [publicAddress],
  'metadata.google.internal': [publicAddress],
  'router.home.arpa': [publicAddress],
  'app.localhost': [publicAddress],
});

function policy(options: Partial<AddressPolicyOptions> = {}) {
  return new AddressPolicy({ requireHttps: true, allowedNetworks: [], resolve: known.resolve, ...options });
}

describe('AddressPolicy with a valid URL', () => {
  it.each([
    'https://receiver.example/hooks?token=1',
    'https://RECEIVER.example:8443/',
    'https://empfänger.example/',
    `https://${publicAddress}/`,
    'https://[2606:4700:4700::1111]/',
  ])('accepts %s', async (url) => expect(await policy().check(url)).toBeUndefined());

  it('accepts a host name outside of ASCII, also after V8 has compiled the check', () => {
    const target = () => policy().target('https://empfänger.example/').hostname;
    const hosts = Array.from({ length: 50_000 }, target);
    expect(new Set(hosts)).toEqual(new Set(['xn--empfnger-3za.example']));
  });

  it('accepts plain HTTP when HTTPS is not required', async () => {
    expect(await policy({ requireHttps: false }).check('http://receiver.example')).toBeUndefined();
  });
});

it.each([
  [true, 'The address has to begin with https://.'],
  [false, 'The address has to begin with https:// or http://.'],
])('AddressPolicy names the schemes that it accepts (requireHttps %s)', async (requireHttps, detail) => {
  expect(await policy({ requireHttps }).check('ftp://receiver.example/')).toMatchObject({ detail });
});

describe('AddressPolicy with an invalid URL or address', () => {
  const cases: [code: string, url: string][] = [
    ['https_required', 'http://receiver.example/'],
    ['invalid_url', ''],
    ['invalid_url', 'receiver.example/hooks'],
    ['invalid_url', 'https://'],
    ['invalid_url', 'https:///'],
    ['invalid_url', 'https://:443/'],
    ['invalid_url', 'ftp://receiver.example/'],
    ['invalid_url', 'file:///etc/passwd'],
    ['invalid_url', 'data:text/plain,hello'],
    ['invalid_url', 'https://receiver.example:0/'],
    ['invalid_url', 'https://receiver.example:65536/'],
    ['invalid_url', 'https://user@receiver.example/'],
    ['invalid_url', 'https://user:password@receiver.example/'],
    ['invalid_url', 'https://:password@receiver.example/'],
    ['invalid_url', 'https://receiver.example\\@127.0.0.1/'],
    ['invalid_url', 'https:\\\\receiver.example/'],
    ['invalid_url', ' https://receiver.example/'],
    ['invalid_url', 'https://receiver.example/\n'],
    ['invalid_url', 'https://127.0.0.\t1/'],
    ['invalid_url', 'https://receiver.example./'],
    ['invalid_url', 'https://receiver..example/'],
    ['invalid_url', 'https://.example/'],
    ['invalid_url', `https://${'a'.repeat(64)}.example/`],
    ['invalid_url', `https://${'a.'.repeat(124)}example/`],
    ['invalid_url', 'https://[fe80::1%25eth0]/'],
    ['invalid_url', 'https://%00/'],
    ['address_refused', 'https://127.0.0.1/'],
    ['address_refused', 'https://127.0.0.1./'],
    ['address_refused', 'https://127.1/'],
    ['address_refused', 'https://2130706433/'],
    ['address_refused', 'https://0x7f000001/'],
    ['address_refused', 'https://0x7f.0x0.0x0.0x1/'],
    ['address_refused', 'https://017700000001/'],
    ['address_refused', 'https://0177.0.0.01/'],
    ['address_refused', 'https://0/'],
    ['address_refused', 'https://%31%32%37.0.0.1/'],
    ['address_refused', 'https://１２７．０．０．１/'],
    ['address_refused', 'https://①②⑦.⓪.⓪.①/'],
    ['address_refused', 'https://127。0。0。1/'],
    ['address_refused', 'https://169.254.169.254/latest/meta-data/'],
    ['address_refused', 'https://[::1]/'],
    ['address_refused', 'https://[0:0:0:0:0:0:0:1]/'],
    ['address_refused', 'https://[::ffff:127.0.0.1]/'],
    ['address_refused', 'https://[::ffff:7f00:1]/'],
    ['address_refused', 'https://[::127.0.0.1]/'],
    ['address_refused', 'https://[fd00:ec2::254]/'],
    ['address_refused', 'https://localhost/'],
    ['address_refused', 'https://LOCALHOST/'],
    ['address_refused', 'https://ｌｏｃａｌｈｏｓｔ/'],
    ['address_refused', 'https://loc%61lhost/'],
    ['address_refused', 'https://app.localhost/'],
    ['address_refused', 'https://printer.local/'],
    ['address_refused', 'https://metadata.google.internal/'],
    ['address_refused', 'https://router.home.arpa/'],
    ['address_refused', 'https://intranet/'],
    ['address_refused', 'https://inside.example/'],
    ['address_refused', 'https://mixed.example/'],
    ['address_refused', 'https://mixed-kinds.example/'],
  ];

  it.each(cases)('rejects with %s the URL %j', async (code, url) => {
    const problem = await policy().check(url);
    expect(problem).toEqual({ code, detail: expect.stringMatching(/^The .*\.$/) });
    const withoutHttps = await policy({ requireHttps: false }).check(url.replace('https:', 'http:'));
    expect(withoutHttps?.code).toBe(code === 'https_required' ? undefined : code);
  });

  it('rejects names of the local network without a DNS look-up', async () => {
    const silent = dns({});
    await policy({ resolve: silent.resolve }).check('https://database.internal/');
    expect(silent.asked).toEqual([]);
  });
});

describe('AddressPolicy with allowed networks', () => {
  const allowing = (...allowedNetworks: string[]) => policy({ allowedNetworks });
  const refused = { code: 'address_refused' };

  it('accepts addresses of these networks and no other private ones', async () => {
    expect(await allowing('10.0.0.0/8').check('https://inside.example/')).toBeUndefined();
    expect(await allowing('10.0.0.0/8').check('https://receiver.example/')).toBeUndefined();
    expect(await allowing('10.0.0.0/30').check('https://inside.example/')).toMatchObject(refused);
  });

  it('accepts localhost when its address is allowed', async () => {
    for (const name of ['localhost', 'app.localhost']) {
      expect(await allowing('127.0.0.0/8').check(`https://${name}/`)).toBeUndefined();
      expect(await allowing('::1/128').check(`https://${name}/`)).toBeUndefined();
      expect(await allowing('10.0.0.0/8').check(`https://${name}/`)).toMatchObject(refused);
    }
    const found = await allowing('127.0.0.0/8').addressesOf('localhost');
    expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('accepts a name of the local network only when its addresses are allowed', async () => {
    const { resolve } = dns({ sink: ['172.18.0.5'], elsewhere: [publicAddress] });
    const allowed = policy({ allowedNetworks: ['172.16.0.0/12'], resolve });
    expect(await allowed.check('https://sink:4014/')).toBeUndefined();
    expect(await allowed.check('https://elsewhere/')).toMatchObject(refused);
  });

  it('throws when a network is invalid', () => {
    expect(() => allowing('10.0.0.0')).toThrow();
  });
});

describe.each<[string, ResolveHost]>([
  ['that nobody can tell anything about now', () => Promise.reject(new Error('queryA ESERVFAIL'))],
  ['that has no address', async () => []],
])('AddressPolicy for a name %s', (_what, resolve) => {
  it('accepts the URL when it is saved', async () => {
    expect(await policy({ resolve }).check('https://receiver.example/')).toBeUndefined();
  });
  it('rejects a connection', async () => {
    await expect(policy({ resolve }).addressesOf('receiver.example')).rejects.toThrow('dns_failed');
  });
});
