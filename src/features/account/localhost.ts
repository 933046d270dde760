const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL is plain http on the loopback interface, which no public site can have. */
export function isLocalhost({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && LOOPBACK.has(hostname);
}
