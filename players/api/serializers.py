"""The bodies of requests about players."""

from players.api.fields import Name, StrictSerializer


class GuestBody(StrictSerializer):
    """Who wants to come in; without a name the server finds one."""

    name = Name(required=False, allow_null=True)
