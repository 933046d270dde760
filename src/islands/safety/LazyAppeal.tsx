import { useEffect, useState, type ComponentProps } from 'react';
import type { AppealPrompt } from './Appeal.tsx';

/** `AppealPrompt` for pages that few people need it on: its script loads when something was refused. */
export function LazyAppeal(props: ComponentProps<typeof AppealPrompt>) {
  const [Prompt, setPrompt] = useState<typeof AppealPrompt | null>(null);
  useEffect(() => {
    let isMounted = true;
    import('./Appeal.tsx').then(
      (loaded) => isMounted && setPrompt(() => loaded.AppealPrompt),
      () => window.dispatchEvent(new Event('loreloom:network-trouble')),
    );
    return () => {
      isMounted = false;
    };
  }, []);
  return Prompt ? <Prompt {...props} /> : null;
}
