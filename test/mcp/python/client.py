"""The official Python client at the gateway, step by step.

Usage: client.py <auto|legacy> <http|stdio>, with DOOR, GATEHOUSE, GATEHOUSE_BASE_URL and
GATEHOUSE_API_KEY in the environment. Each step is a line of JSON; after one that names something
to wait for, it reads a line before it goes on.
"""
import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

MODE, WAY = sys.argv[1:]
KEY = os.environ['GATEHOUSE_API_KEY']
NAMES = ('PATH', 'GATEHOUSE_BASE_URL')


def tell(step, value):
    print(json.dumps({'step': step, 'value': value}), flush=True)


async def told(step, value):
    tell(step, value)
    await asyncio.to_thread(sys.stdin.readline)


def client(key=KEY, **options):
    if WAY == 'stdio':
        env = {name: os.environ[name] for name in NAMES} | {'GATEHOUSE_API_KEY': key}
        server = StdioServerParameters(
            command=os.environ['GATEHOUSE'], args=['mcp', '--stdio'], env=env)
    else:
        headers = {'Authorization': f'Bearer {key}'}
        server = streamable_http_client(
            os.environ['DOOR'], http_client=create_mcp_http_client(headers=headers))
    return Client(server, mode=MODE, **options)


async def called(mcp, action, given=None):
    result = await mcp.call_tool('call_action', {'action': action, 'input': given or {}})
    return {'is_error': result.is_error, **(result.structured_content or {})}


async def opens(_context, params):
    await told('asked', params.url)
    return types.ElicitResult(action='accept')


async def refusal(coroutine):
    """What a call fails with; a failure of several is told as the first of them."""
    try:
        return {'passed': str(await coroutine)}
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return {'error': type(error).__name__, 'message': str(error)}


async def connected(key):
    async with client(key) as mcp:
        return await mcp.list_tools()


async def main():
    tell('wrong key', await refusal(connected('gth_wrong')))
    async with client() as mcp:
        tell('version', mcp.protocol_version)
        tell('capabilities', mcp.server_capabilities.model_dump(exclude_none=True))
        tell('tools', [one.name for one in (await mcp.list_tools()).tools])
        tell('resources', await refusal(mcp.list_resources()))
        found = await mcp.call_tool('search_actions', {'query': 'list notes'})
        tell('search', found.structured_content)
        shown = await mcp.call_tool('describe_action', {'name': 'acme.notes.create'})
        tell('describe', shown.structured_content)
        tell('read', await called(mcp, 'acme.notes.list'))
        tell('refused', await called(mcp, 'acme.notes.delete', {'path': {'id': '1'}}))
        given = {'body': {'text': f'{MODE} {WAY}'}}
        await told('approval', await called(mcp, 'acme.notes.create', given))
        tell('approved', await called(mcp, 'acme.notes.create', given))
        holding = asyncio.create_task(called(mcp, 'acme.notes.get', {'path': {'id': 'held'}}))
        await told('holding', None)
        holding.cancel()
        tell('cancelled', await refusal(holding))
        await told('after', await called(mcp, 'acme.notes.list'))
    async with client(elicitation_callback=opens) as mcp:
        tell('opened', await called(mcp, 'acme.notes.create', {'body': {'text': 'asked'}}))
        await told('revoke', None)
        tell('revoked', await refusal(called(mcp, 'acme.notes.list')))


asyncio.run(main())
