import { type Labels, type Manifest, type Selector, type Workload, workloads } from './manifest';

export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Labels,
): boolean {
  const fits = ({
    key,
    operator,
    values = [],
  }: NonNullable<Selector['matchExpressions']>[number]) =>
    operator === 'In' && values.includes(labels[key] ?? '');
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(fits)
  );
}

export const labelsOf = (workload: Workload) => workload.spec.template.metadata.labels;

interface ServedPorts {
  selector: Labels;
  ports: { name: string; port: number; targetPort: string }[];
}
interface Monitor {
  selector: Selector;
  endpoints: { port: string }[];
}
interface PodMonitor {
  selector: Selector;
  podMetricsEndpoints: { port: string }[];
}
interface Backend {
  service: { name: string; port: { name?: string; number?: number } };
}
interface IngressSpec {
  rules: { http: { paths: { backend: Backend }[] } }[];
}

interface RouteSpec {
  rules: { backendRefs: { name: string; port: number }[] }[];
}

export function selectorFindings(manifests: Manifest[], elsewhere: Manifest[] = []): string[] {
  const pods = workloads(manifests);
  const chosen = (selector: Selector) => pods.filter((pod) => selects(selector, labelsOf(pod)));
  const named = (kind: string, name: string) =>
    manifests.find((one) => one.kind === kind && one.metadata.name === name);
  const specs = <Spec>(kind: string) =>
    manifests.filter((one) => one.kind === kind) as (Manifest & { spec: Spec })[];
  const found: string[] = [];
  const say = ({ kind, metadata }: Manifest, text: string) => {
    found.push(`${kind} ${metadata.name} ${text}`);
  };
  const selecting = (manifest: Manifest, selector: Selector) => {
    if (chosen(selector).length === 0) say(manifest, 'selects no pod');
  };

  for (const pod of pods) {
    const { selector, template } = pod.spec;
    const all = [
      ...(['Job', 'CronJob'].includes(pod.kind) ? [] : [selector ?? {}]),
      ...(template.spec.topologySpreadConstraints ?? []).map((one) => one.labelSelector),
    ];
    for (const one of all) {
      if (Object.keys(one).length === 0) say(pod, 'has no selector');
      if (!selects(one, labelsOf(pod))) say(pod, 'does not select its own pods');
      if (chosen(one).some((other) => other !== pod)) say(pod, 'selects the pods of another');
    }
    const { serviceAccountName: account } = template.spec;
    if (account && !named('ServiceAccount', account)) say(pod, `is nobody: no ${account}`);
    for (const { configMap, persistentVolumeClaim: claim } of template.spec.volumes ?? []) {
      if (configMap && !named('ConfigMap', configMap.name)) say(pod, `mounts no ${configMap.name}`);
      if (claim && !named('PersistentVolumeClaim', claim.claimName))
        say(pod, `claims no ${claim.claimName}`);
    }
  }
  for (const service of specs<ServedPorts>('Service')) {
    const { selector, ports } = service.spec;
    selecting(service, { matchLabels: selector });
    for (const pod of chosen({ matchLabels: selector })) {
      const declared = pod.spec.template.spec.containers.flatMap((one) => one.ports ?? []);
      for (const { targetPort, port } of ports) {
        const target = declared.find(({ name }) => name === targetPort);
        if (target?.containerPort !== port) say(service, `has no port ${targetPort} behind it`);
      }
    }
  }
  for (const budget of specs<{ selector: Selector }>('PodDisruptionBudget')) {
    selecting(budget, budget.spec.selector);
  }
  for (const policy of specs<{ podSelector: Selector }>('NetworkPolicy')) {
    const all = workloads([...manifests, ...elsewhere]);
    if (!all.some((pod) => selects(policy.spec.podSelector, labelsOf(pod))))
      say(policy, 'selects no pod');
  }
  for (const monitor of specs<Monitor>('ServiceMonitor')) {
    const { selector, endpoints } = monitor.spec;
    const services = specs<ServedPorts>('Service').filter((one) =>
      selects(selector, one.metadata.labels ?? {}),
    );
    if (services.length === 0) say(monitor, 'selects no Service');
    for (const { port } of endpoints) {
      const has = services.every(({ spec }) => spec.ports.some(({ name }) => name === port));
      if (!has) say(monitor, `scrapes no port ${port}`);
    }
  }
  for (const monitor of specs<PodMonitor>('PodMonitor')) {
    const { selector, podMetricsEndpoints } = monitor.spec;
    selecting(monitor, selector);
    for (const pod of chosen(selector)) {
      const declared = pod.spec.template.spec.containers.flatMap((one) => one.ports ?? []);
      for (const { port } of podMetricsEndpoints) {
        if (!declared.some(({ name }) => name === port)) say(monitor, `scrapes no port ${port}`);
      }
    }
  }
  for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject']) {
    for (const scaler of specs<{ scaleTargetRef: { name: string } }>(kind)) {
      const { name } = scaler.spec.scaleTargetRef;
      const target = named('Deployment', name) as Workload | undefined;
      if (!target) say(scaler, `scales no ${name}`);
      if (target?.spec.replicas !== undefined) say(scaler, `shares the number of ${name} with it`);
    }
  }
  for (const ingress of specs<IngressSpec>('Ingress')) {
    for (const { backend } of ingress.spec.rules.flatMap(({ http }) => http.paths)) {
      const { name, port } = backend.service;
      const service = named('Service', name) as (Manifest & { spec: ServedPorts }) | undefined;
      const has = service?.spec.ports.some(
        (one) => one.name === port.name || one.port === port.number,
      );
      if (!has) say(ingress, `leads to no ${name}:${port.name ?? port.number}`);
    }
  }
  for (const route of specs<RouteSpec>('HTTPRoute')) {
    for (const { name, port } of route.spec.rules.flatMap(({ backendRefs }) => backendRefs)) {
      const service = named('Service', name) as (Manifest & { spec: ServedPorts }) | undefined;
      const has = service?.spec.ports.some((one) => one.port === port);
      if (!has) say(route, `leads to no ${name}:${port}`);
    }
  }
  return found;
}
