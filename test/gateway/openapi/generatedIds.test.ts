/** What frameworks make ids of, and what looks like it and is none. */
import t, { type Test } from 'tap';
import { nameOperations } from '../../../src/gateway/openapi/naming.ts';

/** Each row: `METHOD path [tag]`, its id, and what its name has behind the slug. */
function checkNames(t: Test, rows: readonly [key: string, id: string, name: string][]): void {
  t.same(nameOperations('x', rows.map(([key, operation_id]) => {
    const [, method = '', path = '', tag = ''] = /^(\w+) (\S+)(?: (.*))?$/.exec(key)!;
    return { method, path, operation_id, tags: [tag] };
  })), rows.map(([, , name]) => `x.${name}`));
}

t.test('drf-spectacular begins ids and tags with where the path starts', async (t) => {
  checkNames(t, [
    ['get /api/v1/books/ api', 'api_v1_books_list', 'books.list'],
    ['get /api/v1/books/{id}/ api', 'api_v1_books_retrieve', 'books.get'],
    ['delete /api/v1/books/{id}/ api', 'api_v1_books_destroy', 'books.delete'],
    ['post /api/v1/books/{id}/loan/ api', 'api_v1_books_loan_create', 'books.create_loan'],
    ['get /api/schema/ api', 'api_schema_retrieve', 'schema.retrieve'],
    ['post /api/v1/logout/ api', 'sign_out', 'logout.sign_out'],
    ['post /accounts/login/ accounts', 'accounts_login_create', 'accounts.login_create'],
  ]);
  checkNames(t, [
    ['get /api/v1/books/ v1', 'v1_books_list', 'books.list'],
    ['get /api/schema/ schema', 'schema_retrieve', 'schema.retrieve'],
  ]);
  checkNames(t, [
    ['post /api/keys Keys', 'api_key_create', 'keys.create'],
    ['post /api/api-keys Api keys', 'api_key_create', 'api_keys.create'],
    ['delete /api/menus/{id} api', 'deleteMenu', 'api.delete_menu'],
  ]);
});

t.test('of two versions in one document each name says which', async (t) => {
  checkNames(t, [
    ['get /api/v1/books/ api', 'api_v1_books_list', 'books.list_v1'],
    ['get /api/v2/books/ api', 'api_v2_books_list', 'books.list_v2'],
    ['get /api/v1/authors/ api', 'api_v1_authors_list', 'authors.list'],
  ]);
  checkNames(t, [
    ['get /v1/books v1', 'v1_books_list', 'v1.list_books'],
    ['get /v2/books v2', 'v2_books_list', 'v2.list_books'],
  ]);
  checkNames(t, [
    ['get /v1/books', 'list-v1-books', 'books.list_v1_books'],
    ['get /v2/books', 'list-v2-books', 'books.list_v2_books'],
  ]);
});

t.test('a tag is what the path starts with only where ids begin so, too', async (t) => {
  checkNames(t, [
    ['get /apis/{apiId} APIs', 'getApi', 'apis.get'],
    ['post /apis/import APIs', 'importApi', 'apis.import_api'],
    ['get /apis/{apiId}/keys APIs', 'listApiKeys', 'apis.list_api_keys'],
    ['get /v1/domains v1', 'list', 'v1.list'],
  ]);
  checkNames(t, [
    ['get /apis/{apiId} APIs', 'getApi', 'apis.get'],
    ['get /apis/{apiId}/keys APIs', 'Apis_ListKeys', 'apis.list_keys'],
    ['post /apis/validate APIs', 'apisValidate', 'apis.validate'],
  ]);
  checkNames(t, [
    ['get /apis/{id}/ apis', 'apis_retrieve', 'apis.get'],
    ['post /apis/validate/ apis', 'apis_validate_create', 'apis.validate_create'],
  ]);
  checkNames(t, [
    ['get /v1/users v1', 'listUsers', 'v1.list_users'],
    ['get /v1/orders v1', 'v1_orders_list', 'v1.list_orders'],
    ['get /v2/users v2', 'listUsers2', 'v2.list_users2'],
  ]);
  checkNames(t, [
    ['get /api api', 'api_root', 'api.root'], ['get /api/v1/ api', 'api_v1', 'api.v1'],
    ['get /api/books/ api', 'api_books_list', 'books.list'],
    ['post /api/books/ api', 'api_books_create', 'books.create'],
    ['get /api/authors/ api', 'api_authors_list', 'authors.list'],
  ]);
});

t.test('huma lists by the whole path, its version and its parameters', async (t) => {
  checkNames(t, [
    ['get /v1/builds', 'list-v1-builds', 'builds.list'],
    ['get /v1/builds/{build-id}', 'get-v1-builds-by-build-id', 'builds.get'],
    ['get /v1/builds/{build-id}/logs', 'list-v1-builds-by-build-id-logs', 'builds.list_logs'],
    ['get /v1/builds/{build-id}/history', 'list-v1-builds-by-build-id-history',
      'builds.list_history'],
    ['get /v1/agents', 'list-v1-agents', 'agents.list'],
    ['get /v1/events/{date}', 'list-v1-events-by-date', 'events.list_by_date'],
  ]);
  checkNames(t, [
    ['get /groups/memberships groups', 'listGroupMemberships', 'groups.list_memberships'],
    ['get /groups/memberships/v2 groups', 'listGroupMembershipsV2', 'groups.list_memberships_v2'],
  ]);
});

t.test('Litestar begins ids with the whole path', async (t) => {
  checkNames(t, [
    ['get /trips', 'TripsListTrips', 'trips.list'], ['post /trips', 'TripsCreate', 'trips.create'],
    ['get /trips/{trip_id}', 'TripsTripIdGetTrip', 'trips.get'],
    ['delete /trips/{tripId}', 'TripsTripidRemove', 'trips.delete'],
  ]);
  checkNames(t, [
    ['post /api/trips/{trip_id}/stops Trips', 'ApiTripsTripIdStopsAdd', 'trips.add_stops'],
    ['get /api/drivers/{id}/photo', 'ApiDriversIdPhotoPhoto', 'drivers.photo'],
    ['get /api/auth/google/callback Access', 'ApiAuthGoogleCallbackGoogleCallback',
      'access.google_callback'],
  ]);
});

t.test('an id that a person wrote begins with its path as well', async (t) => {
  checkNames(t, [
    ['post /predict', 'predict_predict_post', 'predict.create'],
    ['post /train/{model}', 'train_train__model__post', 'train.update'],
    ['post /models/predict models', 'models_predict_create', 'models.create_predict'],
    ['post /users/{id}/predict', 'predict_users__id__predict_post', 'users.predict'],
    ['get /models/{name}', 'models_name_models__name__get', 'models.name'],
  ]);
  checkNames(t, [
    ['get /get/user users', 'getUserById', 'users.get_by_id'],
    ['get /get/user/{id} users', 'GetUserIdUserDetails', 'users.get_id_user_details'],
    ['get /files file', 'filesFilesMeta', 'files.files_meta'],
    ['get /data-sets pipes', 'DataSetsManagementController_listDataSets',
      'pipes.data_sets_management_list_data_sets'],
  ]);
});

t.test('API Platform has path and method, its parameters included', async (t) => {
  checkNames(t, [
    ['get /api/books/{id} Book', 'api_books_id_get', 'books.get'],
    ['put /api/books/{id} Book', 'api_books_id_put', 'books.replace'],
    ['patch /api/books/{id} Book', 'api_books_id_patch', 'books.update'],
    ['post /api/books Book', 'api_books_post', 'books.create'],
    ['get /emojis/{id} emojis', 'emojis/id/get', 'emojis.get_id'],
  ]);
  checkNames(t, [
    ['get /accounts/{id} accounts', 'accountsIdGet', 'accounts.get'],
    ['post /accounts/{id} accounts', 'accountsIdPost', 'accounts.post_id'],
    ['put /accounts/{id} accounts', 'accountsIdPut', 'accounts.put_id'],
  ]);
});
