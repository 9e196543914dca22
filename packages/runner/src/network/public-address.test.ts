import { isLoopbackAddress, isPublicAddress } from './public-address';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
])('isPublicAddress() accepts %s', (address) => {
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
  'a cloud platform': ['168.63.129.16', '::ffff:168.63.129.16', '100.100.100.200', 'fd00:ec2::254'],
  'not an address': ['', 'localhost', '1.2.3', '1.2.3.4.5', '[::1]', 'fe80::1/64'],
};

test.each(Object.entries(refused))(
  'isPublicAddress() rejects addresses of this kind: %s',
  (_kind, addresses) => {
    for (const address of addresses)
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  },
);

test('isLoopbackAddress() accepts loopback addresses, but no IPv4-mapped or unspecified address', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
  expect(['::ffff:127.0.0.1', '::', '0.0.0.0', 'localhost'].some(isLoopbackAddress)).toBe(false);
});

const special = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
  ['::', '::ffff:ffff:ffff'],
  ['64:ff9b::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test.each(special)(
  'isPublicAddress() rejects the special-purpose range from %s to %s',
  (first, last) => {
    expect([first, last].map((address) => [address, isPublicAddress(address as string)])).toEqual([
      [first, false],
      [last, false],
    ]);
  },
);

test.each([
  '168.63.129.15',
  '168.63.129.17',
  '192.88.98.255',
  '192.88.100.0',
  '2001:200::',
  '2003::',
])('isPublicAddress() accepts the address %s next to a special-purpose range', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
