const MAX_NAME_CHARS = 80;

/**
 * What a file may be called on every system: no separators, no characters of control or of direction, no dot at an end.
 * @param parts what the name is made of; empty ones are left out
 * @returns empty when nothing is left of them
 */
export function sanitizeFileName(parts: readonly string[]): string {
  const baseName = parts
    .map((part) =>
      part
        .toWellFormed()
        .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
        .replaceAll(/[/\\:*?"<>|%]/g, '_')
        .trim(),
    )
    .filter((part) => part !== '')
    .join(' - ');
  // Cut between whole characters.
  const [...characters] = baseName;
  return characters
    .slice(0, MAX_NAME_CHARS)
    .join('')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '');
}

/** The name of a file of a chat that every system takes. */
export function buildFileName(parts: readonly string[], ending: string): string {
  return `${sanitizeFileName(parts) || 'chat'}.${ending}`;
}

/** `Content-Disposition` for a file to be kept: in letters that every client reads, and as it is (RFC 6266). */
export function buildContentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7E]/g, '_').replaceAll(/["\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
