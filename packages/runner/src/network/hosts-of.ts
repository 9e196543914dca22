export function hostsOf(listed: readonly string[], companyId: string): string[] {
  return listed.flatMap((entry) => {
    const [host = '', owner] = entry.toLowerCase().split('@');
    return owner === undefined || owner === companyId.toLowerCase() ? [host] : [];
  });
}
