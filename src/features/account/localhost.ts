const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is plain http on this machine alone: no site that others can reach has such a one. */
export function isLocalhost({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && LOOPBACK.has(hostname);
}
