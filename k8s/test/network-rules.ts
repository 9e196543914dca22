import { BlockList, isIPv6 } from 'node:net';
import type { Labels, Manifest, Selector } from './manifest';
import { workloads } from './manifest';
import { labelsOf, selects } from './selector-rules';

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number; protocol?: string }[];
}
interface PolicySpec {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

const policies = (manifests: Manifest[]) =>
  manifests.filter((one) => one.kind === 'NetworkPolicy').map((one) => one.spec as PolicySpec);

function holds(cidr: string, address: string): boolean {
  const [net, bits] = cidr.split('/') as [string, string];
  const family = isIPv6(net) ? 'ipv6' : 'ipv4';
  if (family !== (isIPv6(address) ? 'ipv6' : 'ipv4')) return false;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}

const opens = ({ ports }: Rule, port: number) => !ports || ports.some((one) => one.port === port);

function blockHolds({ ipBlock }: Peer, address: string): boolean {
  if (!ipBlock || !holds(ipBlock.cidr, address)) return false;
  return !(ipBlock.except ?? []).some((cidr) => holds(cidr, address));
}

export function mayReachAddress(manifests: Manifest[], labels: Labels, address: string): boolean {
  const own = policies(manifests).filter((one) => selects(one.podSelector, labels));
  const isBound = own.some((one) => one.policyTypes.includes('Egress'));
  const rules = own.flatMap((one) => one.egress ?? []);
  return !isBound || rules.some(({ to }) => !to || to.some((peer) => blockHolds(peer, address)));
}

export function mayCall(manifests: Manifest[], from: Labels, to: Labels, port: number): boolean {
  const end = (type: 'Ingress' | 'Egress', own: Labels, other: Labels) => {
    const meant = policies(manifests).filter((one) => selects(one.podSelector, own));
    if (!meant.some((one) => one.policyTypes.includes(type))) return true;
    const rules = meant.flatMap((one) => (type === 'Ingress' ? one.ingress : one.egress) ?? []);
    const peersOf = (rule: Rule) => (type === 'Ingress' ? rule.from : rule.to);
    const fits = (peer: Peer) =>
      peer.podSelector !== undefined && !peer.namespaceSelector && selects(peer.podSelector, other);
    return rules.some((rule) => opens(rule, port) && (peersOf(rule)?.some(fits) ?? true));
  };
  return end('Egress', from, to) && end('Ingress', to, from);
}

interface Open {
  addresses: string[];
  components: string[];
}
const NOBODY: Open = { addresses: [], components: [] };

const FORBIDDEN_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::23',
  '169.254.169.252',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '10.96.0.1',
  '172.17.0.1',
  '192.168.1.1',
  '127.0.0.1',
];

/**
 * Finds missing default rules, rules that apply to everyone, and workloads that can reach an
 * address that they must not reach. `open` lists the workloads that need an address, e.g. for
 * credentials of a cloud identity.
 */
export function networkFindings(manifests: Manifest[], open: Open = NOBODY): string[] {
  const found: string[] = [];
  const denies = policies(manifests).some(
    ({ podSelector, policyTypes, ingress, egress }) =>
      Object.keys(podSelector).length === 0 &&
      policyTypes.join() === 'Ingress,Egress' &&
      !ingress &&
      !egress,
  );
  if (!denies) found.push('nothing is denied by default');
  const rules = policies(manifests).flatMap(({ ingress = [], egress = [] }) => [
    ...ingress.map((rule) => rule.from),
    ...egress.map((rule) => rule.to),
  ]);
  if (rules.some((peers) => !peers || peers.length === 0)) found.push('a rule is for everybody');
  for (const pod of workloads(manifests)) {
    for (const address of FORBIDDEN_ADDRESSES) {
      const isOpen =
        open.addresses.includes(address) &&
        open.components.includes(labelsOf(pod)['app.kubernetes.io/component'] ?? '');
      if (mayReachAddress(manifests, labelsOf(pod), address) !== isOpen) {
        found.push(`${pod.metadata.name} ${isOpen ? 'cannot' : 'may'} reach ${address}`);
      }
    }
  }
  return found;
}
