const MAX_NAME_CHARS = 80;

/**
 * Makes a file name that is valid on every system: no separators, control or direction characters, and no dot at either
 * end.
 * @param parts the parts of the name; empty ones are left out
 * @returns empty when no character is left
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
  // Cut between code points.
  const [...characters] = baseName;
  return characters
    .slice(0, MAX_NAME_CHARS)
    .join('')
    .replaceAll(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
}

/** Returns a valid file name with this extension; `chat` when the parts are empty. */
export function buildFileName(parts: readonly string[], ending: string): string {
  return `${sanitizeFileName(parts) || 'chat'}.${ending}`;
}

/** Builds a `Content-Disposition` header with an ASCII name and the full name (RFC 6266). */
export function buildContentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7E]/g, '_').replaceAll(/["\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
