import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { $session } from '../shared/session-state.ts';
import './require-admin.css';

/**
 * Shows an admin page to administrators. The server sends every visitor a «not found» notice; once the session proves
 * to
 * be an administrator's, the page's content replaces the notice.
 * @param title complete document title for administrators
 */
export function RequireAdmin({ title, children }: { title: string; children: ReactNode }) {
  const { auth } = useStore($session, { ssr: 'initial' });
  const open = auth?.user?.role === 'admin';
  useEffect(() => {
    if (!open) return;
    const closed = document.title;
    document.title = title;
    document.documentElement.dataset['admin'] = '';
    return () => {
      document.title = closed;
      delete document.documentElement.dataset['admin'];
    };
  }, [open, title]);
  return open ? children : null;
}
