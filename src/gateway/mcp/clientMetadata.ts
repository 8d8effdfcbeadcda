/** What an authorization server is told of this service: when it registers it, and by address. */
export function clientMetadata(
  { redirect_uri, client_uri }: { redirect_uri: string; client_uri: string }) {
  return {
    client_name: 'Gatehouse', client_uri, redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    // OpenID Connect lets clients of the kind `web` come back by https alone.
    application_type: redirect_uri.startsWith('https:') ? 'web' as const : 'native' as const,
  };
}
