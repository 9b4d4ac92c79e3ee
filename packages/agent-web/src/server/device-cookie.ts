import type { IncomingMessage } from 'node:http';
import { headerValues } from './check-request.ts';
import type { WebAddress } from './web-address.ts';

const maxAgeSeconds = 30 * 24 * 60 * 60;
/** A page of another port can add cookies of the same name for other paths; their number is limited. */
const mostCookies = 64;

/** The value of `Set-Cookie` that a device gets. */
export function deviceCookie({ cookieName, isSecure }: WebAddress, value: string): string {
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** Every value that a request has for our cookie. */
export function cookiesIn(request: IncomingMessage, { cookieName }: WebAddress): string[] {
  return (headerValues(request, 'cookie')[0] ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1))
    .slice(0, mostCookies);
}
