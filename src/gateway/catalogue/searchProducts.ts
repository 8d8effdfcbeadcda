/**
 * Names of well-known services that are no everyday words and no everyday names, so that whoever
 * says one means that service. Where no connected integration knows it, an action of another one
 * that shares the other words is a stranger: a lead for Salesforce must not be written to a CRM
 * beside it. Which services are connected does not count here; names that are known are looked for
 * like all words.
 */
const PRODUCTS: ReadonlySet<string> = new Set((
  // customers, sales, support, marketing
  'activecampaign freshdesk freshsales gorgias helpscout hubspot klaviyo mailchimp mailgun marketo'
  + ' mailjet pardot pipedrive sendgrid salesforce servicenow surveymonkey trustpilot typeform'
  + ' zendesk'
  // money and shops
  + ' adyen bigcommerce braintree chargebee coinbase datev ebay etsy expensify freshbooks klarna'
  + ' lexoffice magento mollie netsuite paypal prestashop quickbooks revolut shopify shopware'
  + ' stripe venmo woocommerce xero'
  // people at work, documents, plans
  + ' airtable asana bamboohr basecamp calendly clickup confluence docusign dropbox evernote'
  + ' eventbrite figma microsoft onedrive onenote personio sharepoint smartsheet'
  + ' todoist trello webex workday wrike zapier'
  // software and its machines
  + ' auth0 azure bigquery bitbucket circleci clickhouse cloudflare cloudwatch databricks datadog'
  + ' digitalocean dynamodb elasticsearch firebase firestore gitea github gitlab grafana heroku'
  + ' hetzner jenkins jira kubernetes launchdarkly mongodb netlify okta openai opsgenie pagerduty'
  + ' planetscale redshift rollbar sentry snowflake sonarqube splunk supabase vercel'
  // figures, pages, media
  + ' amplitude contentful drupal hotjar instagram linkedin metabase mixpanel'
  + ' pinterest powerbi reddit snapchat soundcloud spotify squarespace telegram tiktok'
  + ' tumblr twitch vimeo webflow whatsapp wistia wordpress youtube'
  // at home and on the way
  + ' airbnb alexa deliveroo dhl doordash expedia fedex fitbit garmin homekit lieferando'
  + ' lyft netflix strava tripadvisor uber'
).split(' '));

/** Whether a word, in lower case, is one of these names. */
export function isProduct(said: string): boolean {
  return PRODUCTS.has(said);
}

const LETTERS = /[A-Za-z]+/g;
const INNER_CAPITAL = /[a-z][A-Z]/;

/**
 * Words for which `isName` holds when they are in lower case, so: `GitHub` is one word, while
 * `createIssue` is two. (One expression for both took 6 s for 40,000 letters without a capital, for
 * it began anew at each.)
 */
export function withWholeNames(text: string, isName: (lower: string) => boolean): string {
  return text.replace(LETTERS, (word) => {
    if (!INNER_CAPITAL.test(word)) return word;
    const lower = word.toLowerCase();
    return isName(lower) ? lower : word;
  });
}
