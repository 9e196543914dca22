import { isLoopbackAddress, isPublicAddress } from './public-address';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const refused = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  shared: ['100.64.0.1', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'unique local': ['fc00::1', 'fd12:3456::1'],
  'site-local': ['fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.1', '198.18.0.1', '4000::1', '100::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  mapped: ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1'],
  translated: ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1'],
  tunnelled: [
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2a00:1450::5efe:7f00:1',
    '2a00:1450::200:5efe:a00:1',
  ],
  'no address': ['', 'localhost', '1.2.3', '1.2.3.4.5', '[::1]', 'fe80::1/64'],
};

test.each(Object.entries(refused))('%s is not public', (_kind, addresses) => {
  for (const address of addresses)
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
});

test('loopback is the plain form only', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
  expect(['::ffff:127.0.0.1', '::', '0.0.0.0', 'localhost'].some(isLoopbackAddress)).toBe(false);
});
