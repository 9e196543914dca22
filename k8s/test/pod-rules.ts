import { type Container, containers, type Manifest, type PodSpec, workloads } from './manifest';

type Finding = string | false | undefined;

function contextFindings({ securityContext: context = {} }: Container): Finding[] {
  return [
    context.allowPrivilegeEscalation !== false && 'allowPrivilegeEscalation is not false',
    context.readOnlyRootFilesystem !== true && 'readOnlyRootFilesystem is not true',
    context.runAsNonRoot !== true && 'runAsNonRoot is not true',
    context.privileged === true && 'is privileged',
    context.capabilities?.drop?.join() !== 'ALL' && 'keeps capabilities',
    context.capabilities?.add !== undefined && 'adds capabilities',
  ];
}

const SECRET = /SECRET|PASSWORD|_KEY$|_KEY_OLD$|_KEY_ID$|^(DATABASE|REDIS)_.*URL$/;

const isFixed = (image: string) =>
  /(^|\/)switchyard-/.test(image)
    ? !/:latest$/.test(image)
    : /:[\d.]+@sha256:[0-9a-f]{64}$/.test(image);

function containerFindings(container: Container, pod: PodSpec, claims: string[]): Finding[] {
  const { resources, env = [], volumeMounts = [], image } = container;
  const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims];
  const names = env.map(({ name }) => name);
  return [
    ...contextFindings(container),
    !(resources?.requests?.cpu && resources.requests.memory) && 'requests no cpu or no memory',
    !resources?.requests?.['ephemeral-storage'] && 'requests no ephemeral storage',
    !resources?.limits?.memory && 'has no limit of memory',
    !isFixed(image) && `runs ${image}, whichever that is`,
    ...env.map(
      ({ name, value }) => SECRET.test(name) && value !== undefined && `${name} is a literal`,
    ),
    ...names.map((name, at) => names.indexOf(name) !== at && `${name} is set twice`),
    ...volumeMounts.map(
      ({ name }) => !volumes.includes(name) && `mounts ${name}, which is no volume`,
    ),
  ];
}

function podFindings(pod: PodSpec): Finding[] {
  return [
    !pod.serviceAccountName && 'has no service account of its own',
    pod.automountServiceAccountToken !== false && 'carries a token of the cluster',
    pod.enableServiceLinks !== false && 'gets variables named after services',
    pod.hostNetwork === true && 'is on the network of its node',
    pod.securityContext?.runAsNonRoot !== true && 'may run as root',
    !pod.securityContext?.runAsUser && 'names no user',
    pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
  ];
}

export function podRuleFindings(manifests: Manifest[]): string[] {
  return workloads(manifests).flatMap(({ metadata, spec }) => {
    const pod = spec.template.spec;
    const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name);
    const found = [
      ...podFindings(pod),
      ...containers(pod).flatMap((container) => containerFindings(container, pod, claims)),
    ];
    return found
      .filter((text) => typeof text === 'string')
      .map((text) => `${metadata.name}: ${text}`);
  });
}
