import { useEffect, useState, type ComponentType } from 'react';

/**
 * Loads a component of the chat that most pages never need.
 * @param load the same function at each call
 * @param isWanted loads it as soon as it is true
 * @returns null until it is loaded, and if that fails; a page that is opened later tries again
 */
export function useLazyComponent<P>(
  load: () => Promise<ComponentType<P>>,
  isWanted: boolean,
): ComponentType<P> | null {
  const [component, setComponent] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    if (isWanted)
      load().then(
        (loaded) => setComponent(() => loaded),
        () => {},
      );
  }, [load, isWanted]);
  return component;
}
