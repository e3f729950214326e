import { describe, expect, it } from 'vitest';
import { isNetwork, isPublicAddress, Networks } from '../../../providers/webhook/networks.js';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255'])(
    'accepts the IPv4 address %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888'])(
    'accepts the IPv6 address %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['unspecified', '0.0.0.0'],
    ['of this network', '0.1.2.3'],
    ['private', '10.0.0.0'],
    ['private', '10.255.255.255'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['shared by customers of a carrier', '100.64.0.1'],
    ['shared by customers of a carrier', '100.127.255.255'],
    ['of a cloud’s metadata', '100.100.100.200'],
    ['of a cloud’s metadata', '169.254.169.254'],
    ['of a cloud’s own host', '168.63.129.16'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.0.1'],
    ['of protocols', '192.0.0.192'],
    ['for documentation', '192.0.2.1'],
    ['for documentation', '198.51.100.7'],
    ['for documentation', '203.0.113.9'],
    ['of a 6to4 relay', '192.88.99.1'],
    ['for benchmarks', '198.18.0.1'],
    ['for benchmarks', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4, compatible', '::7f00:1'],
    ['IPv4, compatible, of a public one', '::1.1.1.1'],
    ['IPv4, mapped', '::ffff:127.0.0.1'],
    ['IPv4, mapped', '::ffff:a9fe:a9fe'],
    ['IPv4, mapped, of a public one', '::ffff:1.1.1.1'],
    ['IPv4, translated', '::ffff:0:127.0.0.1'],
    ['IPv4, by NAT64', '64:ff9b::7f00:1'],
    ['IPv4, by NAT64, of a public one', '64:ff9b::101:101'],
    ['IPv4, by a NAT64 of one’s own', '64:ff9b:1::a00:1'],
    ['IPv4, by 6to4', '2002:7f00:1::1'],
    ['IPv4, by Teredo', '2001::1'],
    ['IPv4, by ISATAP', '2a00:1450:4001:80b:0:5efe:a00:1'],
    ['IPv4, by ISATAP', '2a00:1450:4001:80b:200:5efe:a00:1'],
    ['link-local', 'fe80::1'],
    ['link-local, of a zone', 'fe80::1%eth0'],
    ['public, of a zone', '2606:4700:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['of a cloud’s metadata', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['discarded', '100::1'],
    ['for documentation', '2001:db8::1'],
    ['for documentation', '3fff::1'],
    ['for benchmarks', '2001:2::1'],
    ['an identifier', '2001:20::1'],
    ['of segment routing', '5f00::1'],
    ['not handed out', '4000::1'],
    ['no address', 'receiver.example'],
    ['no address', ''],
  ])('rejects an address that is %s: %s', (_kind, address) => expect(isPublicAddress(address)).toBe(false));
});

describe('allowed networks', () => {
  const networks = new Networks(['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8']);

  it.each(['10.1.2.3', '127.0.0.1', 'fd12:3456::1'])('contain %s', (address) => {
    expect(networks.has(address)).toBe(true);
  });

  it.each(['11.0.0.1', '127.0.0.2', 'fe80::1', '::ffff:10.1.2.3', 'fd00::1%eth0', 'receiver.example'])(
    'do not contain %s',
    (address) => expect(networks.has(address)).toBe(false),
  );

  it.each(['10.0.0.0/8', '::1/128', '0.0.0.0/0'])('can be written as %s', (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each(['10.0.0.1', '10.0.0.0/33', '::1/129', 'receiver.example', '', '10.0.0.0/', '/8'])(
    'cannot be written as %s',
    (text) => expect(isNetwork(text)).toBe(false),
  );
});
