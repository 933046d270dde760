import { useState } from 'react';
import { sanitizeText } from '../../lib/sanitize-text.ts';

/** A persona's picture, or the first letter of its name. Has no alternative text, because the name is shown with it. */
export function PersonaAvatar({
  url,
  name,
  className = 'size-12',
}: {
  url: string | null;
  name: string;
  /** Its size. */
  className?: string;
}) {
  // A picture that staff removed or that cannot be read counts as none.
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const isShown = url !== null && url !== brokenUrl;
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center overflow-hidden rounded-full bg-surface-2 font-serif text-text-quiet ${className}`}
    >
      {isShown ? (
        <img
          src={url}
          alt=""
          width="96"
          height="96"
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBrokenUrl(url)}
        />
      ) : (
        [...sanitizeText(name).trim()][0]?.toUpperCase()
      )}
    </span>
  );
}
