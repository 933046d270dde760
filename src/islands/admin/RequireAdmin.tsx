import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { $session } from '../shared/session-state.ts';

/**
 * Shows an admin page while the session is an administrator's. The server sends the page to administrators only.
 * @param title complete document title for administrators
 */
export function RequireAdmin({ title, children }: { title: string; children: ReactNode }) {
  const { auth } = useStore($session, { ssr: 'initial' });
  const open = auth?.user?.role === 'admin';
  useEffect(() => {
    if (!open) return;
    const closed = document.title;
    document.title = title;
    return () => {
      document.title = closed;
    };
  }, [open, title]);
  return open ? children : null;
}
